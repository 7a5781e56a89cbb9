import { Modal } from 'antd'
import { CopyButton } from '../../shared/copy/copy-button.tsx'
import styles from './task-log.module.css'

export interface ShownText {
  readonly title: string
  readonly text: string
  readonly isCode?: boolean
}

/** Shows a text that does not fit into its row. */
export function TextDialog({ shown, onClose }: { readonly shown: ShownText; readonly onClose: () => void }) {
  const { title, text, isCode = false } = shown
  return (
    <Modal
      open
      width={isCode ? 720 : 560}
      title={
        <>
          {title} <CopyButton text={text} />
        </>
      }
      footer={null}
      onCancel={onClose}
    >
      <pre
        className={isCode ? `${styles.whole} code` : styles.whole}
        style={isCode ? {} : { font: 'inherit' }}
      >
        {text}
      </pre>
    </Modal>
  )
}
