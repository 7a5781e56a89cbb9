import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'

interface SearchInputProps {
  /** What is searched for now. */
  readonly value: string
  readonly placeholder: string
  /** Called a moment after typing stops, and at once on Enter or when cleared. */
  readonly onSearch: (text: string) => void
}

const PAUSE_MS = 300

/** The search field of a page; `/` puts the cursor here. */
export function SearchInput({ value, placeholder, onSearch }: SearchInputProps) {
  const t = sharedMessages.use()
  const [draft, setDraft] = useState(value)
  const [shownValue, setShownValue] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (shownValue !== value) {
    // The address changed under the field, by the back button or a link.
    setShownValue(value)
    setDraft(value)
  }

  function search(text: string) {
    clearTimeout(timer.current)
    if (text.trim() !== value) onSearch(text.trim())
  }

  function typed(text: string) {
    setDraft(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(text), text === '' ? 0 : PAUSE_MS)
  }

  return (
    <Input
      data-search
      allowClear
      style={{ width: 240 }}
      prefix={
        <span className="muted">
          <Icon name="search" />
        </span>
      }
      placeholder={placeholder}
      aria-label={t('search')}
      value={draft}
      onChange={(event) => typed(event.target.value)}
      onPressEnter={() => search(draft)}
    />
  )
}
