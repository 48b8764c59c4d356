/**
 * An object in place of another one: the members in `replaced` are these, everything else is the original's, live. Its
 * methods run on the original itself, since classes with private fields do not run on a proxy.
 */
export function standIn<T extends object>(original: T, replaced: Readonly<Record<string, unknown>>): T {
  const bound = new WeakMap<object, unknown>();
  return new Proxy(original, {
    get(target, property) {
      if (typeof property === 'string' && Object.hasOwn(replaced, property)) return replaced[property];
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function' || property === 'constructor' || Object.hasOwn(target, property)) return value;
      if (!bound.has(value)) bound.set(value, value.bind(target));
      return bound.get(value);
    },
    set: (target, property, value) => Reflect.set(target, property, value),
  });
}
