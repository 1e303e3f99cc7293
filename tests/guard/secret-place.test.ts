import { describe, expect, test } from "bun:test";
import { findSecretPlace } from "../../src/guard/secret-place.ts";
import type { SingleElement } from "../../src/model/element.ts";
import { control } from "./sample-commands.ts";

const field = control("input", "Code", "secret");
const page = (url: string): SingleElement => ({ ...control("web", "Page"), url });
const frame: SingleElement = { ...control("group", ""), platformRole: "internal frame" };
const placeIn = (...within: readonly SingleElement[]) =>
  findSecretPlace({ tool: "fill-secret", element: field, within: () => within });

describe("the place of a secret", () => {
  const outer = page("http://localhost:1/");
  const box = control("group", "Sign in");

  test("is the innermost page around its field", () => {
    expect(placeIn(outer, box)).toMatchObject({ origin: "http://localhost:1", isOriginUnknown: false });
    expect(placeIn(outer, frame, page("http://127.0.0.1:2/x"), box).origin).toBe("http://127.0.0.1:2");
    expect(placeIn(box)).toMatchObject({ origin: undefined, isOriginUnknown: false });
  });

  test("is not known in a frame, or a document, that does not tell its address", () => {
    for (const inner of [frame, control("web", ""), control("document", "")]) {
      expect(placeIn(outer, inner, box)).toMatchObject({ origin: undefined, isOriginUnknown: true });
    }
  });
});
