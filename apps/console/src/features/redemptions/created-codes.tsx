import { Button, Modal } from 'antd'
import { copyText } from '../../shared/copy/copy.ts'
import { saveFile } from '../../shared/download/save-file.ts'
import { redemptionMessages } from './i18n.ts'
import styles from './redemptions.module.css'

interface CreatedCodesProps {
  readonly name: string
  readonly keys: readonly string[]
  readonly onClose: () => void
}

/** The codes just created, to be copied or saved as a file with one code per line. */
export function CreatedCodes({ name, keys, onClose }: CreatedCodesProps) {
  const t = redemptionMessages.use()
  const text = keys.join('\n')
  const save = () =>
    saveFile({ name: `${fileName(name)}.txt`, content: new Blob([text], { type: 'text/plain' }) })
  return (
    <Modal
      open
      title={t('created.title', { count: keys.length })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('word.done')}</Button>
          <Button onClick={() => void copyText(text, { isSecret: true })}>{t('created.copy')}</Button>
          <Button type="primary" onClick={save}>
            {t('word.download')}
          </Button>
        </>
      }
    >
      <p>{t('created.text')}</p>
      <pre className={`code ${styles.codes}`}>{text}</pre>
    </Modal>
  )
}

/** Replaces characters that a file system could read as part of a path. */
function fileName(name: string): string {
  return name.replaceAll(/[/\\:*?"<>|]/g, '_')
}
