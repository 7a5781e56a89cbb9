import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { copyText } from './copy.ts'
import styles from './copy-button.module.css'

interface CopyButtonProps {
  readonly text: string
  /** Replaces copying the text. */
  readonly onCopy?: (() => void) | undefined
}

/** A small icon button that copies the text beside it. */
export function CopyButton({ text, onCopy }: CopyButtonProps) {
  const t = sharedMessages.use()
  return (
    <button
      type="button"
      className={styles.button}
      title={t('copy')}
      aria-label={t('copy')}
      onClick={(event) => {
        event.stopPropagation()
        if (onCopy) onCopy()
        else void copyText(text)
      }}
    >
      <Icon name="copy" />
    </button>
  )
}

/** Text that is copied by clicking it, such as the name of a model or a token. */
export function CopyableText({ text }: { readonly text: string }) {
  const t = sharedMessages.use()
  return (
    <button
      type="button"
      className={styles.text}
      title={t('clickToCopy')}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(text)
      }}
    >
      {text}
    </button>
  )
}
