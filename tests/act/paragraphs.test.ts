import { expect, test } from "bun:test";
import { readLines } from "../../src/act/paragraphs.ts";
import { flatten } from "../../src/model/element.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";

const paragraph = (name: string) => ({ role: "text", name, states: ["editable", "multiline"] }) as const;

/** What the paragraphs of a document, and those of a note beside it, hold together with their neighbours. */
async function readAround(name: string, count: number): Promise<readonly string[]> {
  const children = ["One", "Two", "", "Four"].map(paragraph);
  const fake = new FakeDesktop({
    applications: [
      {
        name: "Writer",
        windows: [
          {
            title: "Letter",
            children: [
              { role: "document", name: "Letter", children: [...children, { role: "text", name: "Page 1" }] },
              { role: "group", name: "Note", children: [paragraph("Note 1"), paragraph("Note 2")] },
            ],
          },
        ],
      },
    ],
  });
  const platform = fake.open();
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const reads = await platform.readWindows({ windows: list.value.windows, includeHidden: false, timeoutMs: 1000 });
  if (!reads.ok) throw new Error(reads.failure.message);
  const elements = reads.value.flatMap(({ root }) => (root === undefined ? [] : flatten([root])));
  const element = elements.find((one) => one.name === name);
  if (element === undefined) throw new Error(`no paragraph ${name}`);
  return readLines({ desktop: { platform }, timeoutMs: 1000 }, reads.value, element, count);
}

test("a paragraph is read with its neighbours, before and after it, blank ones too", async () => {
  expect(await readAround("Two", 2)).toEqual(["One\nTwo", "Two\n"]);
  expect(await readAround("Two", 3)).toEqual(["One\nTwo\n", "Two\n\nFour"]);
  expect(await readAround("Note 1", 2)).toEqual(["Note 1\nNote 2"]);
});

test("a document with fewer paragraphs than lines does not hold them", async () => {
  expect(await readAround("One", 5)).toEqual([]);
});
