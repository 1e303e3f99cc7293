const control = { type: "array" as const, items: { type: "object" as const } };

/** What a tool that acts answers; src/show/effect.ts makes it. */
export const effectSchema = {
  type: "object" as const,
  properties: {
    effect: {
      type: "string" as const,
      description:
        "confirmed (seen), partial, unverified (done, nothing shows it), no-change, wrong-target, refused (nothing done)",
    },
    did: { type: "string" as const },
    way: { type: "string" as const },
    evidence: { type: "array" as const, items: { type: "string" as const } },
    changes: {
      type: "object" as const,
      description: "what is different on the screen",
      properties: {
        appeared: control,
        gone: control,
        changed: control,
        openedWindows: control,
        closedWindows: control,
      },
    },
    delivered: { type: "boolean" as const },
    retry: { type: "string" as const, description: "safe, or unsafe: trying again may do it twice" },
  },
};
