import { Button } from 'antd'
import { useState } from 'react'
import { channelDetailMessages } from './i18n.ts'
import styles from './details.module.css'

const SHOWN_AT_FIRST = 12

/** The names of a channel's models; a long list is folded. */
export function ModelNames({ names }: { readonly names: readonly string[] }) {
  const t = channelDetailMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? names : names.slice(0, SHOWN_AT_FIRST)
  return (
    <span className={styles.models}>
      {shown.map((name) => (
        <span key={name} className="code">
          {name}
        </span>
      ))}
      {names.length > SHOWN_AT_FIRST && (
        <Button type="link" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('word.fewer') : t('all', { count: names.length })}
        </Button>
      )}
    </span>
  )
}
