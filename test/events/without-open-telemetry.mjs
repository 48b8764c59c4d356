// Loaded by `--import`: no import of OpenTelemetry is resolved, as where it is not installed.
import { register } from 'node:module';

const hooks = `
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
