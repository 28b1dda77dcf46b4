import { describe, expect, it } from 'vitest'
import { findCommands, type Command } from './commands.ts'

const command = (label: string, group = 'Go to', detail = ''): Command => ({ id: label, group, label, detail, run: () => undefined })
const commands = [command('Devices'), command('Run 3: dense', 'Runs', 'Fashion-MNIST'), command('Dark theme', 'Theme')]
const labels = (text: string): string[] => findCommands(commands, text).map((found) => found.label)

describe('the command search', () => {
  it('finds every word anywhere, in any order', () => {
    expect(labels('fashion run')).toEqual(['Run 3: dense'])
  })

  it('puts what begins with the text first and keeps the order otherwise', () => {
    expect(labels('de')).toEqual(['Devices', 'Run 3: dense'])
    expect(labels('da')).toEqual(['Dark theme'])
  })

  it('lists everything for an empty text, and nothing for nonsense', () => {
    expect(labels(' ')).toHaveLength(3)
    expect(labels('zzz')).toEqual([])
  })
})
