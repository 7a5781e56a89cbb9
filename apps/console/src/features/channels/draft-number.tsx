import { PRIORITY_MIN } from '@tollgate/contract/channel-fields'
import { InputNumber } from 'antd'
import { useRef, useState } from 'react'

interface DraftNumberProps {
  readonly field: 'priority' | 'weight'
  readonly label: string
  /** `undefined` when several channels have different values. */
  readonly stored: number | undefined
  readonly placeholder?: string
  /** Called with a number that differs from the stored one. Must not reject. */
  readonly onSave: (value: number) => Promise<void>
}

/**
 * Priority or weight, edited in the row itself: Enter or leaving the field saves, Escape restores the stored
 * value.
 */
export function DraftNumber({ field, label, stored, placeholder, onSave }: DraftNumberProps) {
  const [draft, setDraft] = useState<number | null>()
  const underWay = useRef<number>(undefined)

  async function save() {
    // Enter has already sent this value; the field now only lost focus.
    if (draft === underWay.current) return
    if (typeof draft === 'number' && draft !== stored) {
      underWay.current = draft
      await onSave(draft)
      underWay.current = undefined
    }
    setDraft((now) => (now === draft ? undefined : now))
  }

  return (
    <InputNumber
      size="small"
      controls={false}
      precision={0}
      min={field === 'priority' ? PRIORITY_MIN : 0}
      style={{ width: 56 }}
      placeholder={placeholder}
      aria-label={label}
      value={draft === undefined ? (stored ?? null) : draft}
      onChange={setDraft}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') {
          // Saving may open a confirmation dialog, and the same keypress would press its button.
          event.preventDefault()
          void save()
        }
        if (event.key === 'Escape') setDraft(undefined)
      }}
      onClick={(event) => event.stopPropagation()}
    />
  )
}
