import { useLanguage } from '../../shared/i18n/language.ts'
import { changedKeys } from './drafts.ts'
import { settingMessages } from './i18n.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import type { SettingSection, SettingTab } from './tab.ts'
import { useDrafts } from './use-drafts.ts'

interface TabPanelProps {
  readonly tab: SettingTab
  readonly onHistory: (key: string) => void
}

/** The sections of a tab, with their names beside them where there is room. */
export function TabPanel({ tab, onHistory }: TabPanelProps) {
  const t = settingMessages.use()
  return (
    <div className={styles.panel}>
      <nav className={styles.index} aria-label={t('sections')}>
        <ul>
          {tab.sections.map((section) => (
            <li key={section.key}>
              <IndexLink section={section} />
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        {tab.sections.map((section) => (
          <Section key={section.key} section={section} onHistory={onHistory} />
        ))}
      </div>
    </div>
  )
}

function IndexLink({ section }: { readonly section: SettingSection }) {
  const language = useLanguage()
  const { drafts, stored } = useDrafts()
  const keys = section.fields.map(({ key }) => key)
  return (
    <a
      href={`#${section.key}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(section.key)?.scrollIntoView()
      }}
    >
      {section.title[language]}
      {changedKeys(keys, drafts, stored).length > 0 && <span className={styles.dot} />}
    </a>
  )
}
