import { Button } from 'antd'
import { CopyableText } from '../../shared/copy/copy-button.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import { useStatus } from '../../shared/session/status.ts'
import { changedKeys } from './drafts.ts'
import { Contest } from './contest/contest.tsx'
import { FieldRow } from './field-row.tsx'
import { settingMessages } from './i18n.ts'
import styles from './settings.module.css'
import type { SettingSection } from './tab.ts'
import { useDrafts } from './use-drafts.ts'
import { useSave } from './use-save.ts'

interface SectionProps {
  readonly section: SettingSection
  readonly onHistory: (key: string) => void
}

/** One panel of settings with its own button: what is saved together. */
export function Section({ section, onHistory }: SectionProps) {
  const language = useLanguage()
  const { Extra } = section
  return (
    <section className={styles.section} id={section.key} aria-labelledby={`${section.key}-title`}>
      <header className={styles.head}>
        <h2 id={`${section.key}-title`}>{section.title[language]}</h2>
        <p>{section.purpose[language]}</p>
      </header>
      {section.fields.length > 0 && <SectionForm section={section} onHistory={onHistory} />}
      {section.fields.length === 0 && Extra !== undefined && <Extra />}
    </section>
  )
}

function SectionForm({ section, onHistory }: SectionProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, forget } = useDrafts()
  const { isBusy, save } = useSave(section)
  const keys = section.fields.map(({ key }) => key)
  const isDirty = changedKeys(keys, drafts, stored).length > 0
  const { Extra } = section
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {section.callbackPath !== undefined && <Callback path={section.callbackPath} />}
      {section.fields.map((field) => (
        <FieldRow key={field.key} field={field} onHistory={() => onHistory(field.key)} />
      ))}
      {Extra !== undefined && <Extra />}
      <Contest keys={keys} />
      <footer className={styles.foot}>
        {isDirty && <span className={styles.unsaved}>{t('unsaved')}</span>}
        {isDirty && <Button onClick={() => forget(keys)}>{t('discard')}</Button>}
        <Button
          htmlType="submit"
          type={isDirty ? 'primary' : 'default'}
          loading={isBusy}
          aria-label={t('saveSection', { section: section.title[language] })}
        >
          {t('save')}
        </Button>
      </footer>
    </form>
  )
}

function Callback({ path }: { readonly path: string }) {
  const t = settingMessages.use()
  const { server_address: address } = useStatus()
  return (
    <p className={styles.callback}>
      <span className="muted">{t('callback')}</span> <CopyableText text={`${address}${path}`} />
    </p>
  )
}
