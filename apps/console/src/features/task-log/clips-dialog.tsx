import { Alert, Modal } from 'antd'
import { useState } from 'react'
import type { Clip } from './clips.ts'
import { taskLogMessages } from './i18n.ts'
import styles from './task-log.module.css'

interface ClipsDialogProps {
  readonly id: string
  readonly clips: readonly Clip[]
  readonly onClose: () => void
}

/** Plays the songs or the video of a task. The media are loaded only when the reader presses play. */
export function ClipsDialog({ id, clips, onClose }: ClipsDialogProps) {
  return (
    <Modal open width={640} title={<span className="code">{id}</span>} footer={null} onCancel={onClose}>
      <div className={styles.clips}>
        {clips.map((clip, index) => (
          <ClipPlayer key={clip.audio + clip.video} clip={clip} number={clips.length > 1 ? index + 1 : 0} />
        ))}
      </div>
    </Modal>
  )
}

/** `number` is 0 if there is only one clip. */
function ClipPlayer({
  clip: { title, audio, video },
  number,
}: {
  readonly clip: Clip
  readonly number: number
}) {
  const t = taskLogMessages.use()
  const [isFailed, setIsFailed] = useState(false)
  const name = [number === 0 ? '' : t('clip.number', { number }), title].filter(Boolean).join(' · ')
  const shared = {
    controls: true,
    preload: 'none',
    'aria-label': name,
    onError: () => setIsFailed(true),
  } as const
  return (
    <figure className="grid-8">
      <figcaption className={styles.caption}>
        <span>{name}</span>
        <a href={video || audio} target="_blank" rel="noreferrer noopener">
          {t('clip.open')}
        </a>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- upstreams make no captions */}
      {audio !== '' && <audio {...shared} className={styles.player} src={audio} />}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- upstreams make no captions */}
      {video !== '' && <video {...shared} className={styles.player} src={video} />}
      {isFailed && <Alert type="warning" role="alert" title={t('clip.failed')} />}
    </figure>
  )
}

interface ClipsCellProps {
  readonly clips: readonly Clip[]
  readonly onPlay: () => void
}

export function ClipsCell({ clips, onPlay }: ClipsCellProps) {
  const t = taskLogMessages.use()
  if (clips.length === 0) return null
  return (
    <button
      type="button"
      className={styles.open}
      onClick={(event) => {
        event.stopPropagation()
        onPlay()
      }}
    >
      {clips.some(({ audio }) => audio !== '') ? t('song.play') : t('video.show')}
    </button>
  )
}
