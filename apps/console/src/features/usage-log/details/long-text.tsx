import { useLayoutEffect, useRef, useState } from 'react'
import { usageLogMessages } from '../i18n/index.ts'
import styles from './row-details.module.css'

/** A text that shows its first lines, and the rest on a click. */
export function LongText({ text, linesMax }: { readonly text: string; readonly linesMax: number }) {
  const t = usageLogMessages.use()
  const element = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isLonger, setIsLonger] = useState(false)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown || isOpen) return undefined
    const observer = new ResizeObserver(() => setIsLonger(shown.scrollHeight > shown.clientHeight + 1))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <>
      <div
        ref={element}
        className={isOpen ? styles.long : `${styles.long} ${styles.folded}`}
        style={isOpen ? undefined : { WebkitLineClamp: linesMax }}
      >
        {text}
      </div>
      {(isLonger || isOpen) && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t('less') : t('more')}
        </button>
      )}
    </>
  )
}
