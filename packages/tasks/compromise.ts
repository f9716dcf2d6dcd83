import nlp from "compromise";

export const NAME = "compromise";
export const DESCRIPTION = "The nouns of a sentence, its people, a verb in the past and a number as a digit.";

export function run() {
  const sentence = nlp("Yesterday Ada Lovelace arrived in London by train.");
  return {
    nouns: nlp("The keeper counts seven ships").nouns().out("array"),
    people: sentence.people().out("array"),
    places: sentence.places().out("array"),
    past: nlp("She walks to the harbour").sentences().toPastTense().text(),
    plural: nlp("the potato").nouns().toPlural().text(),
    number: nlp("seven hundred and two").numbers().get()[0],
  };
}
