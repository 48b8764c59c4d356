import type { NextFunction, Request, Response } from 'express';
import { toGraphQLError } from '../graphql/to-graphql-error.js';
import { refuseForeignPages } from './loopback-identity.js';

/** Keeps pages of other sites off every path, before anything is parsed. */
export function foreignPages(request: Request, response: Response, next: NextFunction): void {
  try {
    refuseForeignPages(request);
  } catch (error) {
    response.status(403).json({ errors: [toGraphQLError(error)] });
    return;
  }
  next();
}
