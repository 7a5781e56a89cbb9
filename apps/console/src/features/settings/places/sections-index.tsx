import { useNavigate } from '@tanstack/react-router'
import type { SettingSection, SettingTab } from '@tollgate/contract/options/section'
import { Select } from 'antd'
import type { MouseEvent } from 'react'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { changedKeys } from '../drafts.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { sectionKeys } from '../tab.ts'
import { useDrafts } from '../use-drafts.ts'
import { hashAddress } from './use-hash-target.ts'

interface SectionsIndexProps {
  readonly tab: SettingTab
  /** The section that is being read. */
  readonly current: string | undefined
}

/**
 * The sections of a tab: a list beside them, or a select field above them where there is no room for a list.
 */
export function SectionsIndex({ tab, current }: SectionsIndexProps) {
  const t = settingMessages.use()
  const navigate = useNavigate()
  const goTo = (key: string) => {
    document.getElementById(key)?.scrollIntoView()
    void navigate({ to: paths.settings, search: { tab: tab.key }, hash: key })
  }
  return (
    <nav className={styles.index} aria-label={t('sections')}>
      <ul>
        {tab.sections.map((section) => (
          <li key={section.key}>
            {/* The router's own link marks every link to this page as the current one. */}
            <a
              href={hashAddress(tab.key, section.key)}
              aria-current={section.key === current ? 'location' : undefined}
              onClick={(event) => {
                if (isForNewTab(event)) return
                event.preventDefault()
                goTo(section.key)
              }}
            >
              <SectionName section={section} />
            </a>
          </li>
        ))}
      </ul>
      <Select
        className={styles.jump}
        aria-label={t('sections')}
        value={current}
        options={tab.sections.map((section) => ({
          value: section.key,
          label: <SectionName section={section} />,
        }))}
        onChange={goTo}
      />
    </nav>
  )
}

function isForNewTab({ metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey
}

function SectionName({ section }: { readonly section: SettingSection }) {
  const t = settingMessages.use()
  const language = useLanguage()
  const { drafts, stored } = useDrafts()
  const isChanged = changedKeys(sectionKeys(section), drafts, stored).length > 0
  return (
    <span className="inline-8">
      {section.title[language]}
      {isChanged && <span className={styles.dot} title={t('form.unsaved')} />}
    </span>
  )
}
