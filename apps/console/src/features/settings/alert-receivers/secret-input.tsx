import { Button, Input } from 'antd'
import styles from '../controls/controls.module.css'
import { settingMessages } from '../i18n/index.ts'
import type { EnteredSecret } from './form-value.ts'

interface SecretInputProps {
  readonly isStored: boolean
  readonly isRequired: boolean
  /** Given by the form, with the two members below. */
  readonly id?: string
  readonly value?: EnteredSecret
  readonly onChange?: (value: EnteredSecret | undefined) => void
  readonly onBlur?: () => void
}

/** A secret of a form: it can be written, replaced and removed, but never read. */
export function SecretInput({ isStored, isRequired, id, value, onChange, onBlur }: SecretInputProps) {
  const t = settingMessages.use()
  const isLeaving = isStored && value?.text === ''
  return (
    <div className={styles.secret}>
      <Input.Password
        id={id}
        autoComplete="new-password"
        placeholder={isLeaving ? t('secretLeaving') : isStored ? t('secretKept') : undefined}
        value={value?.text ?? ''}
        onBlur={onBlur}
        onChange={({ target: { value: text } }) => onChange?.(text === '' ? undefined : { text })}
      />
      {isStored && !isRequired && (
        <Button onClick={() => onChange?.(isLeaving ? undefined : { text: '' })}>
          {isLeaving ? t('secretKeep') : t('secretRemove')}
        </Button>
      )}
    </div>
  )
}
