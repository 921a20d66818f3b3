// Says the scripts' texts in the page's language, which the page brings along.
"use strict";

(() => {
  const language = document.documentElement.lang;
  const plural = new Intl.PluralRules(language);
  const words = () => JSON.parse(document.getElementById("words").textContent);
  let known;

  const filled = (text, values) =>
    text.replace(/%(?:\((\w+)\)s|%)/g, (all, name) => (name ? String(values[name]) : "%"));

  // A text; "%(name)s" in it stands for a value, "%%" for %.
  window.gettext = (text, values = {}) => {
    known ??= words();
    return filled(known[text] ?? text, values);
  };

  // A text that is another for one than for many; "%(num)s" in it stands for the number.
  window.ngettext = (one, many, num, values = {}) => {
    known ??= words();
    const forms = known[one] ?? [one, many];
    return filled(forms[plural.select(num) === "one" ? 0 : 1], { num, ...values });
  };

  // The reader's own form of the page's language, such as de-AT of de.
  const first = (tag) => tag.split("-")[0];
  window.pageLocale = navigator.languages.find((tag) => first(tag) === first(language)) ?? language;
})();
