import type { InjectionToken, OptionalFactoryDependency } from '@nestjs/common';

/** How a port with dependencies of its own is made: what `hostDataSource()`, `postgres()`, `embeddedPostgres()` and `inProcessQueue()` return. */
export interface PortDefinition<Port> {
  /** Name for logs and errors. */
  readonly adapter: string;
  /** Providers that `create` gets, in order; `MemoryModule` must be able to see them (global ones, or the app's DataSource). */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
  // Nest hands a factory what `inject` names; its own type for the arguments is the same.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  create(...dependencies: any[]): Port | Promise<Port>;
}
