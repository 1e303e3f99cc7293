import { expect, test } from "bun:test";
import { parseParams, parseParamsFile } from "../../src/demo/given-values.ts";
import type { Result } from "../../src/model/failure.ts";

const messageOf = (result: Result<unknown>): string => (result.ok ? "" : result.failure.message);

test("each parameter is given once, with a value", () => {
  expect(parseParams(["name=Ada", "note=a=b", "empty="])).toEqual({
    ok: true,
    value: { name: "Ada", note: "a=b", empty: "" },
  });
  expect(messageOf(parseParams(["name=Ada", "name=Bob"]))).toBe("--param name is given twice");
  expect(messageOf(parseParams(["name"]))).toBe('--param "name" has no value');
});

test("a file of values is refused with the place of its fault", () => {
  const parse = (text: string) => parseParamsFile(text, "values.json", ["name", "pieces"]);
  expect(parse('{"name": "[[Ada}", "pieces": 2}')).toEqual({ ok: true, value: { name: "[[Ada}", pieces: "2" } });
  const faults = [
    ['{"name": "Ada"\n "pieces": 2}', "line 2, column 2: it is not JSON: , or } is missing"],
    ['["Ada"]', "line 1: it is not an object of texts by the names of parameters"],
    ['{"name": "Ada",\n "pieces": [2]}', 'line 2: "pieces" is neither a text nor a number'],
    ['{"name": "Ada",\n\n "name": "Bob"}', 'line 3: "name" is given twice'],
    ['{\n "nam": "Ada"}', 'line 2: "nam": the demo has no parameter called "nam": it has name, pieces'],
  ] as const;
  for (const [text, fault] of faults) expect(messageOf(parse(text))).toBe(`values.json: ${fault}`);
});
