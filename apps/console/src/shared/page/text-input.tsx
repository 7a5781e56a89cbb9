import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import box from '../on-demand/box.module.css'
import styles from './text-input.module.css'

interface TextInputProps {
  /** Not needed where a `label` element names the field. */
  readonly label?: string
  readonly placeholder?: string
  readonly value: string
  readonly widthPx?: number
  /** `/` puts the cursor here. */
  readonly isSearch?: boolean
  /** Before the text, such as a magnifying glass. */
  readonly sign?: ReactNode
  readonly onChange: (text: string) => void
  readonly onEnter?: () => void
  /** More for the field itself. */
  readonly native?: ComponentProps<'input'>
}

/** One line of text that can be cleared, for pages that must be there before the component library is. */
export function TextInput(props: TextInputProps) {
  const { label, placeholder, value, widthPx, isSearch = false, sign, onChange, onEnter, native } = props
  const t = sharedMessages.use()
  const field = useRef<HTMLInputElement>(null)
  return (
    <span className={`${box.box} ${styles.box}`} style={{ width: widthPx }}>
      {sign}
      <input
        type="text"
        {...native}
        ref={field}
        {...(isSearch && { 'data-search': true })}
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          native?.onKeyDown?.(event)
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter?.()
        }}
      />
      {value !== '' && (
        <button
          type="button"
          className={styles.clear}
          tabIndex={-1}
          aria-label={t('clear')}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <Icon name="close" sizePx={12} />
        </button>
      )}
    </span>
  )
}
