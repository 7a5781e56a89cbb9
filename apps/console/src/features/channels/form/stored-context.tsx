import { SettingField } from './setting-field.tsx'
import { Select } from 'antd'
import { useId } from 'react'
import { channelMessages } from '../i18n/index.ts'
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
    <SettingField id={id} label={t('setting.storedContext')} help={t('setting.storedContextHelp')}>
      <Select<StoredContext>
        id={id}
        aria-describedby={`${id}-help`}
        style={{ width: '100%' }}
        value={storedContextOf(object)}
        options={choices.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(choice) => onChange(withMembers(object, { stored_context: stored[choice] }))}
      />
    </SettingField>
  )
}
