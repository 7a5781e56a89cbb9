import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import box from '../on-demand/box.module.css'
import styles from './text-input.module.css'

interface TextInputProps {
  /** Accessible name; not needed if a `label` element refers to the field. */
  readonly label?: string
  readonly placeholder?: string
  readonly value: string
  readonly widthPx?: number
  /** `/` focuses this field. */
  readonly isSearch?: boolean
  /** Shown before the text, such as a magnifying glass. */
  readonly sign?: ReactNode
  readonly onChange: (text: string) => void
  readonly onEnter?: () => void
  /** Additional attributes of the input element. */
  readonly native?: ComponentProps<'input'>
}

/** A clearable one-line text field for pages that must be usable before the component library is loaded. */
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
        data-search={isSearch || undefined}
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
