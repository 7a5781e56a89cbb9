import { lazy, Suspense } from 'react'
import styles from './box.module.css'
import { Chevron } from './chevron.tsx'
import type { SelectProps } from './select-props.ts'
import { useInteractionStage } from './use-interaction-stage.ts'

const load = async () => ({ default: (await import('./library-select.tsx')).LibrarySelect })
const LibrarySelect = lazy(load)

/**
 * A select whose code is loaded when the reader points at, focuses or presses it. Until then it looks the
 * same.
 */
export function SelectOnDemand<Value extends string | number>(props: SelectProps<Value>) {
  const { reach, handlers } = useInteractionStage(load)
  const { label, id, placeholder, value, options, widthPx, className } = props
  const choose = (asked: string | number) => {
    const found = options.find((option) => option.value === asked)
    if (found) props.onChange(found.value)
  }
  const chosen = options.find((option) => option.value === value)?.label ?? value
  const atRest = (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props, jsx-a11y/prefer-tag-over-role -- closed, it has no list to name; it is the select to come
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-label={label}
      id={id}
      style={{ width: widthPx }}
      className={`${styles.box} ${styles.select} ${className ?? ''}`.trim()}
      {...handlers}
    >
      <span className={chosen === undefined ? `${styles.words} ${styles.hint}` : styles.words}>
        {chosen ?? placeholder}
      </span>
      <span className={styles.sign}>
        <Chevron />
      </span>
    </button>
  )
  if (reach === 'away') return atRest
  return (
    <Suspense fallback={atRest}>
      <LibrarySelect {...props} onChange={choose} reach={reach} />
    </Suspense>
  )
}
