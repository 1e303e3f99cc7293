import { keepFromProxies } from "./gate.ts";

export interface LocalModel {
  readonly program: string;
  readonly endpoint: string;
  readonly model: string;
}

/** Where Ollama and llama.cpp serve unless told otherwise. */
const usual = [
  { program: "Ollama", endpoint: "http://127.0.0.1:11434/v1" },
  { program: "llama.cpp", endpoint: "http://127.0.0.1:8080/v1" },
] as const;
const answerMs = 300;
const longestList = 100_000;

/** Model servers on this machine. They are asked for their models, and told nothing. */
export async function findLocalModels(
  places: readonly Omit<LocalModel, "model">[] = usual,
): Promise<readonly LocalModel[]> {
  keepFromProxies();
  const found = await Promise.all(places.map(async (place) => ({ ...place, model: await askModel(place.endpoint) })));
  return found.flatMap(({ model, ...place }) => (model === undefined ? [] : [{ ...place, model }]));
}

/** The first model that a server lists; undefined if none answers as a model server does. */
async function askModel(endpoint: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${endpoint}/models`, { redirect: "error", signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    const list: unknown = text.length > longestList ? undefined : JSON.parse(text);
    const models: unknown = typeof list === "object" && list !== null ? Reflect.get(list, "data") : undefined;
    const first: unknown = Array.isArray(models) ? models[0] : undefined;
    const id: unknown = typeof first === "object" && first !== null ? Reflect.get(first, "id") : undefined;
    return typeof id === "string" && /^[\w./:@-]{1,100}$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
