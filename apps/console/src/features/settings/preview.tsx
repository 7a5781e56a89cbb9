import { lazy, Suspense, useState } from 'react'
import { settingMessages } from './i18n/index.ts'
import styles from './settings.module.css'

const OperatorContent = lazy(async () => ({
  default: (await import('../../shared/markdown/operator-content.tsx')).OperatorContent,
}))

const OperatorLine = lazy(async () => ({
  default: (await import('../../shared/markdown/operator-content.tsx')).OperatorLine,
}))

interface PreviewProps {
  readonly text: string
  readonly title: string
  readonly shape: 'page' | 'line'
}

/** The text as visitors will see it, sanitised in the same way. */
export function Preview({ text, title, shape }: PreviewProps) {
  const t = settingMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  if (text.trim() === '') return null
  return (
    <div className={styles.preview}>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t('previewHide') : t('previewShow')}
      </button>
      {isOpen && (
        <div className={styles.previewFrame}>
          <Suspense fallback={null}>
            {shape === 'line' ? <OperatorLine text={text} /> : <OperatorContent text={text} title={title} />}
          </Suspense>
        </div>
      )}
    </div>
  )
}
