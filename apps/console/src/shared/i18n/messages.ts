import { currentLanguage, i18n, type Language, languages, useLanguage } from './language.ts'

/** Values for the `{{name}}` placeholders of a text; `count` also selects `key_one` or `key_other`. */
export type MessageValues = Readonly<Record<string, string | number>>

/** `calls_one` and `calls_other` are requested as `calls`. */
type Askable<Key extends string> = Key extends `${infer Stem}_other`
  ? Stem
  : Key extends `${string}_one`
    ? never
    : Key

/** Chinese has one plural form, so `_one` is only needed in English. */
type Chinese<Key extends string> = Exclude<Key, `${string}_one`>

export type Translate<Key extends string> = (key: Askable<Key> & string, values?: MessageValues) => string

export interface Messages<Key extends string> {
  readonly namespace: string
  readonly texts: Readonly<Record<Language, Readonly<Record<string, string>>>>
  /** For components: `const t = messages.use()`. It is the same function until the language changes. */
  readonly use: () => Translate<Key>
  /** For code outside components. */
  readonly t: Translate<Key>
}

export interface Texts<Key extends string> {
  readonly en: Readonly<Record<Key, string>>
  readonly zh: Readonly<Record<NoInfer<Chinese<Key>>, string>>
}

/** The texts of one screen of a feature that has several; its `i18n/index.ts` joins them. */
export function defineTexts<const Key extends string>(texts: Texts<Key>): Texts<Key> {
  return texts
}

/**
 * The texts of one feature, in every language. The compiler rejects a key that exists in one language only,
 * and a call of `t` with a key that does not exist; a test rejects unused keys.
 */
export function defineMessages<const Key extends string, Known extends string = Key>(
  namespace: string,
  texts: Texts<Key>,
): Messages<Known> {
  for (const language of languages) i18n.addResourceBundle(language, namespace, texts[language], true, true)
  const translate: Readonly<Record<Language, Translate<Known>>> = {
    en: translator('en', namespace),
    zh: translator('zh', namespace),
  }
  return {
    namespace,
    texts,
    use: () => translate[useLanguage()],
    t: (key, values) => translate[currentLanguage()](key, values),
  }
}

/** Looks up a text without placeholders once: a table asks for the same ones with every row. */
function translator(language: Language, namespace: string): Translate<string> {
  const find = i18n.getFixedT(language, namespace)
  const found = new Map<string, string>()
  return (key, values) => {
    if (values !== undefined) return find(key, { ...values })
    const known = found.get(key)
    if (known !== undefined) return known
    const text = find(key)
    found.set(key, text)
    return text
  }
}
