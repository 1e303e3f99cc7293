import { all, hasWindow, isThere, not, shows } from "../checks.ts";
import type { Data } from "../data.ts";
import { type Application, type Check, cmd, markOf, type Plan, sees } from "../task.ts";

const name = "book.pdf";

/** One page for each text. Its offsets are left out: readers find the objects themselves. */
function makePdf(pages: readonly string[]): string {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 18 Tf 20 100 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${5 + 2 * index} 0 R ` +
          "/Resources << /Font << /F1 3 0 R >> >> >>",
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return `%PDF-1.4\n${body}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`;
}

function plainWord(data: Data): string {
  for (;;) {
    const word = data.word();
    if (/^[a-z]+$/.test(word)) return word;
  }
}

function withPages(data: Data, pages: readonly string[]): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: makePdf(pages) }, open: ["evince", data.path(name)], title: name };
}

const isAt = (page: number): Check => shows({ role: "text", name: "page-label-entry", text: String(page) });
const makePages = (data: Data, count: number): readonly string[] =>
  Array.from({ length: count }, () => `${plainWord(data)} ${plainWord(data)}`);

export const evince: Application = {
  name: "evince",
  package: "evince",
  program: "evince",
  tasks: [
    {
      name: "find a word",
      plan: (data) => {
        const pages = makePages(data, 12);
        const at = data.number(7, 10);
        const [word = ""] = (pages[at - 1] ?? "").split(" ");
        return {
          ...withPages(data, pages),
          steps: [
            sees(cmd`click find --role toggle --app evince`, shows({ role: "text", name: /search/i })),
            sees(cmd`type ${word} --on search --role input --app evince`, shows({ role: "text", text: word })),
            cmd`wait --for ${`cell "${pages[at - 1]} ${at}" appears`} --app evince`,
            cmd`find ${word} --role cell --app evince`,
            cmd`type --key enter --app evince`,
          ],
          check: all(shows({ role: "table cell", name: new RegExp(word) }), shows({ role: "text", text: word })),
        };
      },
    },
    {
      name: "go to a page by its number and back",
      plan: (data) => {
        const pages = makePages(data, 6);
        const at = data.number(3, 6);
        return {
          ...withPages(data, pages),
          steps: [
            cmd`read --app evince --roles input`,
            cmd`set-value ${String(at)} --id ${markOf("input", "page-label-entry")}`,
            cmd`focus --id ${markOf("input", "page-label-entry")}`,
            sees(cmd`type --key enter --app evince`, isAt(at)),
            cmd`focus "document view" --app evince`,
            cmd`type --key ctrl+home --app evince`,
          ],
          check: isAt(1),
        };
      },
    },
    {
      name: "look at the properties",
      plan: (data) => {
        const count = data.number(2, 7);
        return {
          ...withPages(data, makePages(data, count)),
          steps: [
            sees(cmd`type --key alt+enter --app evince`, hasWindow("Properties")),
            cmd`read --window Properties`,
            sees(
              cmd`select fonts --role tab --window Properties`,
              shows({ role: "page tab", name: "Fonts", state: "selected" }),
            ),
            sees(cmd`select general --role tab --window Properties`, shows({ role: "label", name: String(count) })),
            sees(cmd`click close --role button --window Properties`, not(hasWindow("Properties"))),
          ],
          check: not(hasWindow("Properties")),
        };
      },
    },
    {
      name: "choose a page in the side pane",
      plan: (data) => {
        const at = data.number(2, 3);
        return {
          ...withPages(data, makePages(data, 3)),
          steps: [
            cmd`read --app evince`,
            sees(cmd`click --id ${markOf("icon", String(at))}`, isAt(at)),
            cmd`select bookmarks --role radio --app evince`,
            cmd`select thumbnails --role radio --app evince`,
            sees(cmd`toggle "side pane" --app evince`, not(shows({ role: "radio button" }))),
            sees(cmd`toggle "side pane" --app evince`, shows({ role: "radio button" })),
          ],
          check: isAt(at),
        };
      },
    },
    {
      name: "save a copy",
      plan: (data) => ({
        ...withPages(data, makePages(data, 2)),
        steps: [
          sees(cmd`type --key ctrl+s --app evince`, hasWindow("Save")),
          cmd`read --window Save --roles input,button`,
          cmd`set-value ${data.path("copy.pdf")} --on name --role input --window Save`,
          sees(cmd`click save --role button --window Save`, isThere(data.path("copy.pdf"))),
          cmd`list`,
        ],
        check: all(isThere(data.path("copy.pdf")), hasWindow(".pdf")),
      }),
    },
  ],
};
