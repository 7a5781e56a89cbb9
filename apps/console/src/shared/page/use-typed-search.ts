import { useEffect, useRef, useState } from 'react'

interface TypedSearch {
  /** The text in the field. */
  readonly draft: string
  readonly onType: (text: string) => void
  /** Searches without waiting; called on Enter. */
  readonly searchNow: () => void
}

const PAUSE_MS = 300

/** A search field that applies its text shortly after typing stops, and at once when it is cleared. */
export function useTypedSearch(value: string, onSearch: (text: string) => void): TypedSearch {
  const [draft, setDraft] = useState(value)
  const [shownValue, setShownValue] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (shownValue !== value) {
    // The address was changed by the back button or a link, so the field takes over its value.
    setShownValue(value)
    setDraft(value)
  }

  function search(text: string) {
    clearTimeout(timer.current)
    if (text.trim() !== value) onSearch(text.trim())
  }

  function onType(text: string) {
    setDraft(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(text), text === '' ? 0 : PAUSE_MS)
  }

  return { draft, onType, searchNow: () => search(draft) }
}
