import type { ElementMemory } from "../../src/inspector/element.ts";
import type { Step } from "../../src/model/ref.ts";
import { FactList } from "./element-facts.tsx";
import { MomentTable } from "./moments.tsx";
import { NameForm } from "./name-form.tsx";
import { showTime } from "./show-time.ts";

interface MemoryProps {
  readonly mark: number;
  readonly memory: ElementMemory;
  onTaught(): void;
}

/** What the map remembers of a control. */
export function ElementMemoryFacts({ mark, memory, onTaught }: MemoryProps) {
  const { ref } = memory;
  return (
    <section aria-labelledby="element-memory">
      <h3 id="element-memory">Remembered</h3>
      <NameForm of={{ mark }} taught={memory.taught} label="Teach it a name" verb="Teach" onTaught={onTaught} />
      <FactList
        facts={[
          ["Taught name", memory.taught],
          ["Confidence", memory.confidence.toFixed(2)],
          ["Because", <Because key="because" why={memory.why} />],
          ["Source", memory.certainty === undefined ? memory.source : `${memory.source}, ${memory.certainty} sure`],
          ["Hits and misses", `${memory.hits} as wanted, ${memory.misses} not`],
          [
            "Sightings",
            `${memory.same} at the same place, ${memory.moved} elsewhere, ${memory.missing} without it since`,
          ],
          ["First seen", showTime(memory.firstSeen)],
          ["Last seen", showTime(memory.lastSeen)],
          ["Feedback", memory.feedback],
        ]}
      />
      <h4>Ref as stored</h4>
      <FactList
        facts={[
          ["Application", ref.app],
          ["Window", memory.window],
          ["Role", ref.role],
          ["Name", ref.name],
          ["Platform id", ref.platformId],
          ["Path", ref.path.map(showStep).join(" › ")],
          ["Beside", ref.owner],
          ["Between", ref.sisters.filter((one) => one !== "").join(" and ")],
          ["Among similar siblings", ref.count > 1 ? `${ref.index + 1} of ${ref.count}` : ""],
          ["Twins in its window", ref.twins === 0 ? "none" : String(ref.twins)],
          [
            "Place in its window",
            ref.bounds && `${ref.bounds.width} × ${ref.bounds.height} at ${ref.bounds.x}, ${ref.bounds.y}`,
          ],
        ]}
      />
      <MomentTable moments={memory.history} caption="History of hits and misses" />
    </section>
  );
}

function Because({ why }: { readonly why: ElementMemory["why"] }) {
  return (
    <ul class="because">
      {why.map(({ because, confidence }) => (
        <li key={because}>
          {confidence.toFixed(2)} {because}
        </li>
      ))}
    </ul>
  );
}

function showStep({ role, name, index, count }: Step): string {
  const words = name === "" ? role : `${role} “${name}”`;
  return count > 1 ? `${words} ${index + 1} of ${count}` : words;
}
