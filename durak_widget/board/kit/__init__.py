"""What do trees and matrices say and hear alike: names, numbers, refusals, messages, who asks something on them? What either of them is has a room of its own."""
