import { Link } from '@tanstack/react-router'
import { settingTabs } from '@tollgate/contract/options/index'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { settingMessages } from '../i18n/index.ts'
import { findSettings, type FoundSetting } from './find-settings.ts'
import styles from './found-list.module.css'

/** The search results, each a link to its place. */
export function FoundList({ typed }: { readonly typed: string }) {
  const t = settingMessages.use()
  const found = findSettings(settingTabs, typed)
  if (found.length === 0) return <EmptyState title={t('find.none')} text={t('find.noneText')} />
  return (
    <ul className={styles.list} aria-label={t('find.title')}>
      {found.map((one) => (
        <li key={`${one.tab.key}/${one.section.key}/${one.field?.key ?? ''}`}>
          <FoundLine found={one} />
        </li>
      ))}
    </ul>
  )
}

function FoundLine({ found: { tab, section, field } }: { readonly found: FoundSetting }) {
  const language = useLanguage()
  const name = field === undefined ? section.title : field.definition.label
  const text = field === undefined ? section.purpose : field.definition.help
  return (
    <Link
      className={styles.line}
      to={paths.settings}
      search={{ tab: tab.key }}
      hash={field?.key ?? section.key}
      hashScrollIntoView={false}
    >
      <span className={styles.name}>{name[language]}</span>
      <span className={styles.place}>
        {tab.title[language]}
        {field !== undefined && ` › ${section.title[language]}`}
      </span>
      <span className={styles.text}>{text[language]}</span>
      {field !== undefined && <span className={`${styles.key} code`}>{field.key}</span>}
    </Link>
  )
}
