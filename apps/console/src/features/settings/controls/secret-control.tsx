import { Button, Input } from 'antd'
import { settingMessages } from '../i18n/index.ts'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'

/** A secret can be written, replaced and removed, but never read. */
export function SecretControl(props: ControlProps) {
  const { id, describedBy, value, isSet, isEntered, isFaulty, onChange, onForget } = props
  const t = settingMessages.use()
  const isLeaving = isEntered && value === '' && isSet
  return (
    <div className={styles.secret}>
      <Input.Password
        id={id}
        aria-describedby={describedBy}
        autoComplete="new-password"
        placeholder={isLeaving ? t('secretLeaving') : isSet ? t('secretKept') : t('secretMissing')}
        status={isFaulty ? 'error' : undefined}
        value={value}
        // An emptied field means "keep the stored secret", not "remove it".
        onChange={(event) => (event.target.value === '' ? onForget() : onChange(event.target.value))}
      />
      {isSet && !isLeaving && <Button onClick={() => onChange('')}>{t('secretRemove')}</Button>}
      {isLeaving && <Button onClick={onForget}>{t('secretKeep')}</Button>}
    </div>
  )
}
