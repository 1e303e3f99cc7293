import type { Policy, Standing } from "./policy.ts";

const blind = ["keepassxc"];
const handsOff = ["xterm"];

/** On a person's own desktop, until the policy says otherwise. */
export const userPolicy: Policy = {
  actionsPerMinute: 10,
  sensitive: "ask",
  isReadOnly: false,
  standings: new Map<string, Standing>([
    ...blind.map((name) => [name, "blind"] as const),
    ...handsOff.map((name) => [name, "hands-off"] as const),
  ]),
  rules: [],
  words: {},
  hasHotkey: true,
};
