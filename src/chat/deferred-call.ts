/** What the official client's calls return beyond a promise. */
interface ClientCall {
  asResponse(): Promise<Response>;
  withResponse(): Promise<{ data: unknown }>;
  _thenUnwrap(transform: (data: unknown, props: unknown) => unknown): unknown;
}

/** In a box: a bare call would be awaited, and thereby read, by the promise that brings it. */
interface Sent {
  readonly call: unknown;
}

/**
 * A call of the client that is sent a little later, with everything that the client's own `APIPromise` offers: the body
 * is read when the promise is, and not at all where only `asResponse()` is asked for. (The official class is not
 * imported: which copy of it the host runs is the host's business.)
 */
export class DeferredCall extends Promise<unknown> {
  private parsed: Promise<unknown> | null = null;

  /** @param answered sees what came back, before the caller does */
  constructor(
    private readonly sent: Promise<Sent>,
    private readonly answered: (data: unknown) => void,
  ) {
    // Never settles by itself: `then`, `catch` and `finally` below are the promise.
    super(() => undefined);
  }

  override then<A = unknown, B = never>(
    onfulfilled?: ((value: unknown) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.parse().then(onfulfilled, onrejected);
  }

  override catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<unknown> {
    return this.parse().catch(onrejected);
  }

  override finally(onfinally?: (() => void) | null): Promise<unknown> {
    return this.parse().finally(onfinally);
  }

  /** The response as it came, its body unread. What is answered there is not seen, so the turn is not handed in. */
  asResponse(): Promise<Response> {
    return this.sent.then(({ call }) => (call as ClientCall).asResponse());
  }

  async withResponse(): Promise<{ data: unknown }> {
    const [data, whole] = await Promise.all([
      this.parse(),
      this.sent.then(({ call }) => (call as ClientCall).withResponse()),
    ]);
    return { ...whole, data };
  }

  /** By this the client's own helpers (`parse`, for one) go on from a call. */
  _thenUnwrap(transform: (data: unknown, props: unknown) => unknown): DeferredCall {
    const unwrapped = this.sent.then(({ call }) => ({
      call: (call as ClientCall)._thenUnwrap((data, props) => {
        this.answered(data);
        return transform(data, props);
      }),
    }));
    return new DeferredCall(unwrapped, () => undefined);
  }

  private parse(): Promise<unknown> {
    this.parsed ??= this.sent
      .then(({ call }) => call)
      .then((data) => {
        this.answered(data);
        return data;
      });
    return this.parsed;
  }
}
