import { useTranslation } from 'react-i18next'
import { i18n, type Language, languages } from './language.ts'

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
  /** For components: `const t = messages.use()`. */
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
  return {
    namespace,
    texts,
    use: () => {
      const { t } = useTranslation(namespace)
      return (key: string, values) => t(key, { ...values })
    },
    t: (key: string, values) => i18n.t(key, { ns: namespace, ...values }),
  }
}
