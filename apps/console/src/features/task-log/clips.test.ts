import { expect, it } from 'vitest'
import { clipsOf } from './clips.ts'

const done = { status: 'SUCCESS', result_url: '', data: null }
const song = {
  title: 'Waltz',
  audio_url: 'https://cdn.example/a.mp3',
  video_url: 'https://cdn.example/a.mp4',
}

it('a finished song plays the addresses given by its upstream', () => {
  expect(clipsOf({ ...done, data: [song, { audio_url: 'https://cdn.example/b.mp3' }] })).toEqual([
    { title: 'Waltz', audio: 'https://cdn.example/a.mp3', video: 'https://cdn.example/a.mp4' },
    { title: '', audio: 'https://cdn.example/b.mp3', video: '' },
  ])
})

it('a finished video is played from this gateway', () => {
  const address = 'https://gate.example/v1/videos/task_a/content?key=k'
  expect(clipsOf({ ...done, result_url: address })).toEqual([
    { title: '', audio: '', video: '/v1/videos/task_a/content?key=k' },
  ])
})

it('a task that is unfinished, failed or produced only text has no clips', () => {
  expect(clipsOf({ ...done, status: 'IN_PROGRESS', data: [song] })).toEqual([])
  for (const data of [null, 'text', { text: 'la la' }, [{ audio_url: 'javascript:alert(1)' }]])
    expect(clipsOf({ ...done, data })).toEqual([])
})
