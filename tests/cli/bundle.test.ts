import { expect, test } from "bun:test";
import { describeVariables, listSecretValues, maskSecrets } from "../../src/cli/bundle.ts";

const env = {
  DISPLAY: ":7",
  HOME: "/home/ada",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  DESKMAP_SECRETS: "file",
  ACME_TOKEN: "sk-12345678",
  SHLVL: "1",
};

test("variables are shown by allow-list, reduced to their family, or left out", () => {
  expect(describeVariables(env)).toEqual({ DBUS_SESSION_BUS_ADDRESS: "set", DESKMAP_SECRETS: "set", DISPLAY: ":7" });
});

test("private data is masked wherever it appears, and the home folder is not named", () => {
  const data = {
    build: "/home/ada/deskmap",
    log: ["client sk-12345678 left", "level 1"],
    nested: { title: "Diary of Ada - Editor", count: 3, isOpen: true, none: null },
  };
  expect(maskSecrets(data, [...listSecretValues(env), "Diary of Ada", "Diary of Ada - Editor"], "/home/ada")).toEqual({
    build: "~/deskmap",
    log: ["client [masked] left", "level 1"],
    nested: { title: "[masked]", count: 3, isOpen: true, none: null },
  });
});
