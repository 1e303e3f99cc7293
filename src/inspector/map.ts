/** Methods of the panel Map, by their names: each a MethodShape. */
export type MapMethods = Readonly<Record<never, never>>;
export type MapEvents = Readonly<Record<never, never>>;
