import type { OptionDefinition } from '@tollgate/contract/options/definition'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import { settingMessages } from '../i18n/index.ts'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'

/**
 * Edits a list of short entries, typed one by one or pasted with commas. Each is checked before it is added.
 */
export function PartsControl({ id, describedBy, definition, value, onChange }: ControlProps) {
  const t = settingMessages.use()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const parts = partsOf(value)

  function add() {
    const added = partsOf(typed)
    if (added.length === 0) return
    const known = added.find((part) => parts.includes(part.toLowerCase()) || parts.includes(part))
    if (known !== undefined) return setFault(t('partKnown', { part: known }))
    const wrong = added.find((part) => !isAccepted(definition, part))
    if (wrong !== undefined) return setFault(t('partWrong', { part: wrong }))
    onChange([...parts, ...added].join(','))
    setTyped('')
    setFault(undefined)
  }

  return (
    <div className={styles.parts}>
      {parts.length > 0 && (
        <ul>
          {parts.map((part) => (
            <li key={part}>
              {part}
              <button
                type="button"
                aria-label={t('partRemove', { part })}
                onClick={() => onChange(parts.filter((one) => one !== part).join(','))}
              >
                <Icon name="close" sizePx={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.secret}>
        <Input
          id={id}
          aria-describedby={describedBy}
          status={fault !== undefined ? 'error' : undefined}
          placeholder={t('partHint')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setFault(undefined)
          }}
          onPressEnter={(event) => {
            event.preventDefault()
            add()
          }}
        />
        <Button onClick={add}>{t('partAdd')}</Button>
      </div>
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

function partsOf(text: string): readonly string[] {
  return text
    .split(/[,，\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function isAccepted({ schema }: OptionDefinition, part: string): boolean {
  return schema.safeParse(part).success
}
