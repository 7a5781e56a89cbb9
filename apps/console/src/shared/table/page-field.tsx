import { useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import styles from './pager.module.css'

interface PageFieldProps {
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** The page number; entering another one goes there, on Enter or when the field is left. */
export function PageField({ page, pages, onPage }: PageFieldProps) {
  const t = sharedMessages.use()
  const [draft, setDraft] = useState<string>()

  function go() {
    const asked = Number.parseInt(draft ?? '', 10)
    setDraft(undefined)
    if (!(asked >= 1)) return
    const next = Math.min(asked, pages)
    if (next !== page) onPage(next)
  }
  return (
    <input
      type="text"
      className={`${styles.field} number`}
      inputMode="numeric"
      aria-label={t('paging.page')}
      value={draft ?? page}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go()
      }}
    />
  )
}
