import { commonTexts } from './common-messages.ts'
import { i18n, languages } from './language.ts'
import { defineMessages, type Messages, type Texts } from './messages.ts'
import { sharedTexts } from './shared-messages.ts'

type CommonKey = keyof typeof commonTexts.en | keyof typeof sharedTexts.en

/** The texts of one feature. Its `t` also has the common words and the texts for every page. */
export function defineFeatureMessages<const Key extends string>(
  namespace: string,
  texts: Texts<Key>,
): Messages<Key | CommonKey> {
  for (const language of languages)
    i18n.addResources(language, namespace, { ...sharedTexts[language], ...commonTexts[language] })
  return defineMessages<Key, Key | CommonKey>(namespace, texts)
}
