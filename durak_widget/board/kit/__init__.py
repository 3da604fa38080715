"""What do trees and matrices say and hear alike: names, numbers, refusals, messages, how they look?"""
