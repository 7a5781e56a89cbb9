import { Select } from 'antd'
import { useId } from 'react'
import { channelMessages } from '../i18n/index.ts'
import styles from './form.module.css'
import { type SettingObject, type StoredContext, storedContextOf, withMembers } from './setting-object.ts'

interface StoredContextFieldProps {
  readonly object: SettingObject
  readonly onChange: (text: string) => void
}

const choices = [
  { value: 'none', label: 'setting.storedContextNone' },
  { value: 'as_before', label: 'setting.storedContextBefore' },
  { value: 'all', label: 'setting.storedContextAll' },
] as const

const stored: Readonly<Record<StoredContext, unknown>> = {
  none: undefined,
  as_before: 'as_before',
  all: true,
}

/** Selects which objects stored at the upstream requests may refer to. */
export function StoredContextField({ object, onChange }: StoredContextFieldProps) {
  const t = channelMessages.use()
  const id = useId()
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{t('setting.storedContext')}</label>
      <Select<StoredContext>
        id={id}
        aria-describedby={`${id}-help`}
        style={{ width: '100%' }}
        value={storedContextOf(object)}
        options={choices.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(choice) => onChange(withMembers(object, { stored_context: stored[choice] }))}
      />
      <p id={`${id}-help`} className={styles.help}>
        {t('setting.storedContextHelp')}
      </p>
    </div>
  )
}
