import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { createInstance } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { useSyncExternalStore } from 'react'
import { storageKeys } from '../session/storage.ts'

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

const dayjsLocales: Readonly<Record<Language, string>> = { zh: 'zh-cn', en: 'en' }

/** The only instance; `messages.ts` adds the texts of each feature when it is loaded. */
export const i18n = createInstance()

void i18n.use(LanguageDetector).init({
  resources: {},
  supportedLngs: languages,
  fallbackLng: 'zh',
  load: 'languageOnly',
  initAsync: false,
  keySeparator: false,
  interpolation: { escapeValue: false },
  detection: {
    order: ['localStorage', 'navigator'],
    lookupLocalStorage: storageKeys.language,
    caches: ['localStorage'],
  },
})

i18n.on('languageChanged', follow)
follow()

/**
 * The current language. Use it outside components; inside them, `useLanguage` renders again when the language
 * changes.
 */
export function currentLanguage(): Language {
  return i18n.resolvedLanguage === 'en' || i18n.language?.startsWith('en') ? 'en' : 'zh'
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage)
}

function onLanguageChange(listener: () => void): () => void {
  i18n.on('languageChanged', listener)
  return () => i18n.off('languageChanged', listener)
}

export async function setLanguage(language: Language): Promise<void> {
  await i18n.changeLanguage(language)
}

function follow(): void {
  const language = currentLanguage()
  document.documentElement.lang = language
  dayjs.locale(dayjsLocales[language])
}
