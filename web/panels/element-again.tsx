import type { Evidence } from "../../src/inspector/element.ts";
import { useAnswer, useLater } from "../ask.ts";
import { selectMark } from "../state.ts";
import { FactList } from "./element-facts.tsx";
import { Trouble } from "./trouble.tsx";

const certainties: Readonly<Record<Evidence["certainty"], string>> = {
  object: "it is the very object that was marked",
  look: "nothing else looks like it",
  elsewhere: "the marked object looks different now, and another one looks as it did",
  renamed: "it was last shown with another name",
  twins: "others look the same; only their order distinguishes them",
  disguise: "it was last shown under another mark",
  missing: "it is not there",
};

/** Moving quickly from control to control must not request the evidence of each. */
const pauseMs = 120;

/** The resolver's evidence: how, and how surely, the control would be found again. Loaded after everything else. */
export function ElementAgain({ mark, version }: { readonly mark: number; readonly version: number }) {
  const isTime = useLater(pauseMs);
  const { value: again, failure } = useAnswer("element.evidence", isTime ? { mark } : undefined, version);
  return (
    <section aria-labelledby="element-again" aria-busy={again === undefined && failure === undefined}>
      <h3 id="element-again">Found again</h3>
      {failure === undefined ? null : <Trouble failure={failure} />}
      {again === undefined ? null : <AgainFacts again={again} />}
    </section>
  );
}

function AgainFacts({ again }: { readonly again: Evidence }) {
  const { evidence, nearest, score, margin, weighed, present } = again;
  return (
    <>
      <p class="verdict">
        By its description alone it would be found: <strong data-verdict={again.verdict}>{judge(again)}</strong>
      </p>
      <FactList
        facts={[
          ["Its mark leads to it", certainties[again.certainty]],
          ["Score", `${score.toFixed(3)} of 1`],
          ["Margin to the next", margin.toFixed(3)],
          ["Weighed", weighed === present ? `${weighed} controls` : `${weighed} of ${present} controls`],
        ]}
      />
      <table class="evidence">
        <caption>What speaks for the likeliest and against it</caption>
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Agrees</th>
            <th scope="col">Weight</th>
          </tr>
        </thead>
        <tbody>
          {evidence.map(({ feature, level, weight }) => (
            <tr key={feature} class={weight > 0 ? "for" : "against"}>
              <th scope="row">{feature}</th>
              <td>{level}</td>
              <td>{`${weight > 0 ? "+" : ""}${weight.toFixed(1)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {nearest.length < 2 ? null : (
        <>
          <h4>Next candidates</h4>
          <ul class="nearest">
            {nearest.slice(1).map(({ mark, role, name, score: own, lacks }, at) => (
              <li key={`${at} ${mark}`}>
                {mark === undefined ? (
                  name === "" ? (
                    role
                  ) : (
                    `${role} “${name}”`
                  )
                ) : (
                  <button type="button" class="link-button" onClick={() => selectMark(mark)}>
                    {name === "" ? `${mark} ${role}` : `${mark} ${role} “${name}”`}
                  </button>
                )}{" "}
                {own.toFixed(3)}
                <span class="quiet"> {describeLacks(lacks)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The features that distinguish a candidate from the likeliest. */
function describeLacks(lacks: Evidence["evidence"]): string {
  if (lacks.length === 0) return "nothing tells it apart";
  const words = lacks.slice(0, 3).map(({ feature, level, weight }) => `${feature} ${level} (${weight.toFixed(1)})`);
  return `told apart by ${words.join(", ")}`;
}

function judge({ verdict, isItself }: Evidence): string {
  if (verdict === "ambiguous") return "ambiguous";
  return verdict === "match" && isItself ? "yes" : "no";
}
