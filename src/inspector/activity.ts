/** Methods of the panel Activity, by their names: each a MethodShape. */
export type ActivityMethods = Readonly<Record<never, never>>;
export type ActivityEvents = Readonly<Record<never, never>>;
