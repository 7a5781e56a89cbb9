import { Alert, Modal, Spin } from 'antd'
import { useState } from 'react'
import { taskLogMessages } from '../i18n.ts'
import styles from '../task-log.module.css'

export interface ShownImage {
  readonly source: string
  readonly prompt: string
  readonly id: string
}

type Loading = 'waiting' | 'here' | 'failed'

/** The generated image, as large as the screen allows. */
export function ImageDialog({
  image,
  onClose,
}: {
  readonly image: ShownImage
  readonly onClose: () => void
}) {
  const t = taskLogMessages.use()
  const [loading, setLoading] = useState<Loading>('waiting')
  const { source, prompt, id } = image
  return (
    <Modal
      open
      width={760}
      title={<span className="code">{id}</span>}
      footer={
        loading === 'here' && (
          <a href={source} target="_blank" rel="noreferrer noopener" download>
            {t('word.download')}
          </a>
        )
      }
      onCancel={onClose}
    >
      {loading === 'failed' ? (
        <Alert type="warning" role="alert" title={t('image.failed')} />
      ) : (
        <Spin spinning={loading === 'waiting'}>
          <img
            className={styles.picture}
            style={loading === 'waiting' ? { minHeight: 240 } : {}}
            src={source}
            alt={prompt === '' ? id : prompt}
            onLoad={() => setLoading('here')}
            onError={() => setLoading('failed')}
          />
        </Spin>
      )}
    </Modal>
  )
}
