import { describeForm } from "./describe-form.ts";
import { gtk3 } from "./form-words.ts";

describeForm(gtk3);
