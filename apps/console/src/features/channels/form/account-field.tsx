import { Input } from 'antd'
import { useId } from 'react'
import { channelMessages } from '../i18n/index.ts'
import { SettingField } from './setting-field.tsx'
import { type SettingObject, textOf, withMembers } from './setting-object.ts'

interface AccountFieldProps {
  readonly object: SettingObject
  readonly onChange: (text: string) => void
}

const CHARACTERS_MAX = 64

/** The account behind the keys of this channel; single keys may have another one in the JSON below. */
export function AccountField({ object, onChange }: AccountFieldProps) {
  const t = channelMessages.use()
  const id = useId()
  return (
    <SettingField id={id} label={t('setting.account')} help={t('setting.accountHelp')}>
      <Input
        id={id}
        aria-describedby={`${id}-help`}
        maxLength={CHARACTERS_MAX}
        value={textOf(object, 'account')}
        onChange={(event) => onChange(withMembers(object, { account: event.target.value.trimStart() }))}
      />
    </SettingField>
  )
}
