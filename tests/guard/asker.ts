// Asks a person, as an acting command would, and prints the answer: asker.ts EXPIRY-MS
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { aQuestion } from "./sample-question.ts";

const approver = new PersonApprover(findPlaces(process.env), Number(process.argv[2]));
console.log(`result ${JSON.stringify(await approver.ask(aQuestion))}`);
