import { Segmented } from 'antd'
import { setThemeMode, type ThemeMode, useThemeMode } from '../../../shared/design/theme-mode.ts'
import { type Language, languages, setLanguage, useLanguage } from '../../../shared/i18n/language.ts'
import { personalMessages } from '../i18n/index.ts'
import { Row, Rows, Section } from '../../../shared/page/section.tsx'

const modes = ['system', 'light', 'dark'] as const satisfies readonly ThemeMode[]
const languageNames: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' }

/** Appearance settings, stored in this browser. */
export function Appearance() {
  const t = personalMessages.use()
  const mode = useThemeMode()
  const language = useLanguage()
  return (
    <Section title={t('look.title')}>
      <Rows>
        <Row
          label={t('look.theme')}
          actions={
            <Segmented<ThemeMode>
              aria-label={t('look.theme')}
              value={mode}
              options={modes.map((value) => ({ value, label: t(`look.${value}`) }))}
              onChange={setThemeMode}
            />
          }
        />
        <Row
          label={t('look.language')}
          actions={
            <Segmented<Language>
              aria-label={t('look.language')}
              value={language}
              options={languages.map((value) => ({ value, label: languageNames[value] }))}
              onChange={(value) => void setLanguage(value)}
            />
          }
        />
      </Rows>
    </Section>
  )
}
