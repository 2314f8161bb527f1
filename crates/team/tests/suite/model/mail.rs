//! Mail: sent, fetched, delivered, acknowledged.

use super::*;

impl Model {
    pub(super) fn send(&mut self, by: usize, to: u8, thread: Option<u8>, key: Option<u8>) {
        let to = match to % 5 {
            4 => Recipient::Role("worker".parse().unwrap()),
            to => Recipient::Member(name(MEMBERS[usize::from(to)])),
        };
        let key = key.map(|key| key % 3);
        let request = MailRequest {
            to,
            body: "read this".to_owned(),
            thread: thread.and_then(|thread| pick(&self.threads, thread)),
            urgent: false,
            key: key.map(|key| format!("key-{key}")),
        };
        let Ok(receipt) = self.team.send(&self.actors[by], &request) else {
            return;
        };
        if let Some(key) = key {
            let first = *self.keys.entry((by, key)).or_insert(receipt.message);
            assert_eq!(first, receipt.message, "one key sent two messages");
        }
        if receipt.message == receipt.thread && !receipt.repeated {
            self.threads.push(receipt.thread);
        }
    }

    pub(super) fn fetch(&mut self, by: usize, max: u8) {
        let Ok(letters) = self.team.fetch(&self.actors[by], usize::from(max % 4) + 1) else {
            return;
        };
        for letter in &letters {
            assert_ne!(letter.from, MEMBERS[by], "a member got its own message");
        }
        self.letters
            .extend(letters.into_iter().map(|letter| (by, letter)));
    }

    /// One of the fetched messages, mostly with its fetcher.
    pub(super) fn letter(&self, by: u8, letter: u8) -> Option<(usize, MessageId, MessageId, u32)> {
        let all: Vec<_> = self
            .letters
            .iter()
            .map(|(by, it)| (*by, it.message, it.thread, it.fetch))
            .collect();
        let (owner, message, thread, fetch) = pick_late(&all, letter)?;
        Some((sometimes_other(owner, by), message, thread, fetch))
    }

    pub(super) fn deliver(&mut self, by: u8, letter: u8) {
        let Some((by, message, thread, fetch)) = self.letter(by, letter) else {
            return;
        };
        if self.team.deliver(&self.actors[by], message, fetch).is_ok() {
            let order = self.delivered.entry((by, thread)).or_default();
            if !order.contains(&message) {
                let in_order = order.last().is_none_or(|last| *last < message);
                assert!(in_order, "{message} came out of order");
                order.push(message);
            }
        }
    }

    pub(super) fn acknowledge(&mut self, by: u8, letter: u8) {
        let Some((by, message, thread, _)) = self.letter(by, letter) else {
            return;
        };
        if self.team.acknowledge(&self.actors[by], message).is_ok() {
            let order = self.delivered.get(&(by, thread));
            let delivered = order.is_some_and(|order| order.contains(&message));
            assert!(delivered, "acknowledged and not delivered");
        }
    }
}
