import { InputNumber } from 'antd'
import { useId } from 'react'
import { channelMessages } from '../i18n/index.ts'
import { SettingField } from './setting-field.tsx'
import { type SettingObject, withMembers } from './setting-object.ts'

interface AffinityFieldProps {
  readonly object: SettingObject
  readonly onChange: (text: string) => void
}

const DAY_SECONDS = 86_400

/** How long a session stays on this channel; empty is what the site has set. */
export function AffinityField({ object, onChange }: AffinityFieldProps) {
  const t = channelMessages.use()
  const id = useId()
  const { affinity_seconds: seconds } = object
  return (
    <SettingField id={id} label={t('setting.affinity')} help={t('setting.affinityHelp')}>
      <InputNumber
        id={id}
        aria-describedby={`${id}-help`}
        style={{ width: 160 }}
        min={0}
        max={DAY_SECONDS}
        precision={0}
        placeholder="3600"
        value={typeof seconds === 'number' ? seconds : null}
        onChange={(value) => onChange(withMembers(object, { affinity_seconds: value ?? undefined }))}
      />
    </SettingField>
  )
}
