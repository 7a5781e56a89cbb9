import type { OptionKey } from '@tollgate/contract/options/index'
import type { SettingSection, SettingTab } from '@tollgate/contract/options/section'
import { Button } from 'antd'
import { copyText } from '../../shared/copy/copy.ts'
import { CopyableText } from '../../shared/copy/copy-button.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { useStatus } from '../../shared/session/status.ts'
import { SettingConflicts } from './conflict/setting-conflicts.tsx'
import { changedKeys } from './drafts.ts'
import { sectionExtras } from './extras/section-extras.ts'
import { FieldRow } from './field-row.tsx'
import { settingMessages } from './i18n/index.ts'
import styles from './settings.module.css'
import { fieldsOf, type SettingField } from './tab.ts'
import { useDrafts } from './use-drafts.ts'
import { hashAddress, useHashTarget } from './places/use-hash-target.ts'
import { useSave } from './use-save.ts'

interface SectionProps {
  readonly tab: SettingTab
  readonly section: SettingSection
  readonly onHistory: (key: OptionKey) => void
}

/** A panel of settings with its own save button; its settings are saved together. */
export function Section({ tab, section, onHistory }: SectionProps) {
  const language = useLanguage()
  const Extra = sectionExtras[section.key]
  const hasFields = fieldsOf(section).length > 0
  return (
    <section
      className={styles.section}
      id={section.key}
      tabIndex={-1}
      aria-labelledby={`${section.key}-title`}
    >
      <header className={styles.head}>
        <div className="row-8">
          <h2 id={`${section.key}-title`}>{section.title[language]}</h2>
          <CopyAddress tab={tab} section={section} />
        </div>
        <p>{section.purpose[language]}</p>
      </header>
      {hasFields && <SectionForm section={section} onHistory={onHistory} />}
      {!hasFields && Extra !== undefined && <Extra />}
    </section>
  )
}

function CopyAddress({ tab, section }: Pick<SectionProps, 'tab' | 'section'>) {
  const t = settingMessages.use()
  const language = useLanguage()
  const label = t('copyAddress', { section: section.title[language] })
  return (
    <button
      type="button"
      className={styles.small}
      title={label}
      aria-label={label}
      onClick={() => void copyText(location.origin + hashAddress(tab.key, section.key))}
    >
      <Icon name="copy" sizePx={14} />
    </button>
  )
}

function SectionForm({ section, onHistory }: Omit<SectionProps, 'tab'>) {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, forget } = useDrafts()
  const fields = fieldsOf(section)
  const keys = fields.map(({ key }) => key)
  const { isBusy, save } = useSave({ title: section.title, keys, needs: section.needs })
  const isDirty = changedKeys(keys, drafts, stored).length > 0
  const Extra = sectionExtras[section.key]
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {section.callbackPath !== undefined && <Callback path={section.callbackPath} />}
      <Fields fields={fields} onHistory={onHistory} />
      {Extra !== undefined && <Extra />}
      <SettingConflicts keys={keys} />
      <footer className={styles.foot}>
        {isDirty && <span className={styles.unsaved}>{t('form.unsaved')}</span>}
        {isDirty && <Button onClick={() => forget(keys)}>{t('form.discard')}</Button>}
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

interface FieldsProps {
  readonly fields: readonly SettingField[]
  readonly onHistory: (key: OptionKey) => void
}

/** Settings that have an effect, followed by those without one, folded away. */
function Fields({ fields, onHistory }: FieldsProps) {
  const t = settingMessages.use()
  const place = useHashTarget()
  const rowOf = (field: SettingField) => <FieldRow key={field.key} field={field} onHistory={onHistory} />
  const idle = fields.filter(({ definition }) => definition.isWithoutEffect)
  return (
    <>
      {fields.filter((field) => !idle.includes(field)).map(rowOf)}
      {idle.length > 0 && (
        <details className={styles.idle} open={idle.some(({ key }) => key === place)}>
          <summary>{t('withoutEffect', { number: idle.length })}</summary>
          {idle.map(rowOf)}
        </details>
      )}
    </>
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
