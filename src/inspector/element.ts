/** Methods of the panel Element, by their names: each a MethodShape. */
export type ElementMethods = Readonly<Record<never, never>>;
export type ElementEvents = Readonly<Record<never, never>>;
